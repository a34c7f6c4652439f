// Passkeys (Web Authentication): makes one on the page that adds it, uses one on the login page.
// Both pages say everything themselves; this script only shows what is hidden.
'use strict';
(() => {
  const bytes = text =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), character => character.charCodeAt(0));
  const base64url = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const one = (selector, from = document) => from.querySelector(selector);

  function show(form, error) {
    const problems = Array.from(form.querySelectorAll('[data-problem]'));
    for (const problem of problems) problem.hidden = true;
    const fitting = problems.find(problem => problem.dataset.problem === error.name)
      || problems.find(problem => !problem.dataset.problem);
    if (fitting) fitting.hidden = false;
  }
  function send(form, values) {
    for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value;
    HTMLFormElement.prototype.submit.call(form);
  }

  const login = one('form[data-passkey-login]');
  if (login && window.PublicKeyCredential) {
    const button = one('[data-passkey]', login);
    button.hidden = false;
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const answer = await fetch('/login/passkey', { headers: { Accept: 'application/json' }, credentials: 'same-origin' });
        if (!answer.ok) throw new Error('no challenge');
        const { challenge, rpId } = await answer.json();
        const passkey = await navigator.credentials.get({
          publicKey: { challenge: bytes(challenge), rpId, userVerification: 'required' },
        });
        send(login, {
          passkey: base64url(passkey.rawId),
          client_data: base64url(passkey.response.clientDataJSON),
          authenticator_data: base64url(passkey.response.authenticatorData),
          signature: base64url(passkey.response.signature),
        });
      } catch (error) {
        button.disabled = false;
        show(login, error);
      }
    });
  }

  const adding = one('form[data-passkey-new]');
  if (adding) {
    const { challenge, rp, user, algorithms, known } = adding.dataset;
    const isSupported = window.PublicKeyCredential && window.AuthenticatorAttestationResponse
      && 'getAuthenticatorData' in AuthenticatorAttestationResponse.prototype;
    if (!isSupported) show(adding, { name: 'unsupported' });
    adding.addEventListener('submit', async event => {
      event.preventDefault();
      if (!isSupported) return;
      const button = one('button', adding);
      button.disabled = true;
      try {
        const passkey = await navigator.credentials.create({
          publicKey: {
            challenge: bytes(challenge),
            rp: { id: rp, name: 'SpendWise' },
            user: { id: bytes(user), name: 'SpendWise', displayName: 'SpendWise' },
            pubKeyCredParams: algorithms.split(' ').map(number => ({ type: 'public-key', alg: Number(number) })),
            excludeCredentials: known.split(' ').filter(Boolean).map(id => ({ type: 'public-key', id: bytes(id) })),
            authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
            attestation: 'none',
          },
        });
        send(adding, {
          client_data: base64url(passkey.response.clientDataJSON),
          authenticator_data: base64url(passkey.response.getAuthenticatorData()),
        });
      } catch (error) {
        button.disabled = false;
        show(adding, error);
      }
    });
  }
})();
