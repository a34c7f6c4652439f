// The page works without this script. It adds single keys, search while typing, and the sum of the selected rows.
// It never makes markup from text of the ledger.
'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('scripted');
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const one = (selector, from = document) => from.querySelector(selector);
  const stored = (name, value) => {
    try {
      if (value !== undefined) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch { return null; }
  };

  const here = one('.top [aria-current]');
  if (here) here.scrollIntoView({ inline: 'center', block: 'nearest' });

  // The notice of the last edit is shown once: a reload must not show it again.
  if (one('[data-notice]')) {
    const address = new URL(location.href);
    address.searchParams.delete('done');
    address.searchParams.delete('undo');
    address.searchParams.delete('offer');
    address.searchParams.delete('about');
    address.searchParams.delete('count');
    history.replaceState(null, '', address);
  }

  // A form that outlived its login, directly after the next one.
  const resend = one('form[data-resend]');
  if (resend) HTMLFormElement.prototype.submit.call(resend);

  // Typing is activity: it keeps the login alive.
  if ('session' in document.body.dataset) {
    let last = Date.now();
    document.addEventListener('input', () => {
      if (Date.now() - last < 20000) return;
      last = Date.now();
      fetch('/session', { credentials: 'same-origin' }).catch(() => {});
    });
  }

  // A file cannot be kept over a login, so ask before it is sent. Another login has another token.
  const uploads = (from = document) => all('form[enctype="multipart/form-data"]', from);
  uploads().forEach((upload, index) => upload.addEventListener('submit', async event => {
    if (!('session' in document.body.dataset)) return;
    event.preventDefault();
    const ended = one('[data-ended]', upload);
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = uploads(page)[index];
      if (ended && (answer.redirected || answer.status === 401)) {
        ended.hidden = false;
        return;
      }
      if (fresh) upload.setAttribute('action', fresh.getAttribute('action'));
    } catch { /* The server answers the form itself. */ }
    if (ended) ended.hidden = true;
    HTMLFormElement.prototype.submit.call(upload);
  }));

  // What a list or a page shows. The server's text is kept: the script changes the elements.
  const content = (from = document) => one('[data-results]', from) || one('main', from);
  let shown = content() && content().innerHTML;

  // Search while typing; other filters apply at once.
  const form = one('[data-filter]');
  let asked = 0;
  async function refresh() {
    const mine = ++asked;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) query.append(name, value);
    // Typed days count in place of the period.
    if (query.has('since') || query.has('until')) query.delete('period');
    const address = form.getAttribute('action') + (query.size ? '?' + query : '');
    const results = one('[data-results]');
    results.classList.add('busy');
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
      // Too many requests (RFC 6585, section 4): try again after the given time.
      if (answer.status === 429) {
        const wait = Number(answer.headers.get('Retry-After')) || 5;
        setTimeout(() => { if (mine === asked) refresh(); }, 1000 * wait);
        return;
      }
      if (answer.redirected) { location.assign(address); return; }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = one('[data-results]', page);
      if (mine !== asked) return;
      if (!answer.ok || !fresh) { form.submit(); return; }
      results.replaceWith(document.importNode(fresh, true));
      shown = fresh.innerHTML;
      // The subcategories are those of the chosen category.
      const below = one('select[name=subcategory]', page);
      if (below) one('select[name=subcategory]', form).replaceChildren(...document.importNode(below, true).children);
      history.replaceState(null, '', address);
      current = -1;
      prepareBulk();
    } catch { if (mine === asked) results.classList.remove('busy'); }
  }
  if (form) {
    let timer;
    const later = wait => { clearTimeout(timer); timer = setTimeout(refresh, wait); };
    form.addEventListener('input', event => later(event.target.type === 'search' ? 300 : 600));
    form.addEventListener('change', event => {
      if (event.target.name === 'category') form.elements.subcategory.value = '';
      later(0);
    });
    form.addEventListener('submit', event => {
      event.preventDefault();
      later(0);
      // The list has the focus after Enter, for the single keys.
      if (document.activeElement) document.activeElement.blur();
    });
  }

  // Completion of the last word of a search. The browser completes whole values, so each choice gets the words before.
  const search = one('[data-search]');
  if (search) search.addEventListener('focus', async () => {
    try {
      const answer = await fetch('/app/searches/words', { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
      const list = one('datalist', new DOMParser().parseFromString(await answer.text(), 'text/html'));
      if (!answer.ok || !list) return;
      const words = all('option', list).map(option => option.value);
      const choices = document.createElement('datalist');
      choices.id = 'search-choices';
      document.body.append(choices);
      search.setAttribute('list', choices.id);
      const plain = text => text.toLowerCase().replaceAll('"', '');
      const parts = word => [word.slice(0, word.indexOf(':') + 1), word.slice(word.indexOf(':') + 1)];
      // A name in quotes is found by any part of it, typed with or without the quote.
      const fits = (word, typed) => {
        if (word.includes(typed)) return true;
        const [key, name] = parts(typed);
        return key !== '' && name !== '' && word.startsWith(key) && parts(word)[1].includes(name);
      };
      const offer = () => {
        const last = search.value.match(/(?:[^\s"]|"[^"]*"?)*$/)[0];
        const before = search.value.slice(0, search.value.length - last.length);
        const typed = plain(last);
        const fitting = typed ? words.filter(word => fits(plain(word), typed)).slice(0, 20) : [];
        choices.replaceChildren(...fitting.map(word => {
          const option = document.createElement('option');
          option.value = before + word;
          // The browser shows only what contains the typed text, in the value or in the label.
          if (!option.value.toLowerCase().includes(search.value.toLowerCase())) option.label = search.value + ' → ' + word;
          return option;
        }));
      };
      search.addEventListener('input', offer);
      offer();
    } catch { /* A search needs no completion. */ }
  }, { once: true });

  // The value of a mark of a chart: below a mouse, at the first tap, and with the arrow keys. The second tap, or Enter,
  // opens the rows.
  function prepareCharts() {
    for (const chart of all('[data-chart]')) {
      const marks = all('svg a', chart);
      const value = one('[data-value]', chart);
      if (!marks.length || !value || chart.tabIndex === 0) continue;
      let [chosen, pointer] = [null, ''];
      const clear = () => {
        if (chosen) chosen.classList.remove('chosen');
        chosen = null;
        value.replaceChildren();
      };
      const show = mark => {
        if (mark === chosen) return;
        clear();
        chosen = mark;
        mark.classList.add('chosen');
        const rows = document.createElement('a');
        rows.href = mark.getAttribute('href');
        rows.textContent = value.dataset.rows;
        value.append(one('title', mark).textContent + ' ', rows);
      };
      const markOf = event => event.target.closest('svg a');
      chart.addEventListener('pointerdown', event => { pointer = event.pointerType; });
      chart.addEventListener('pointerover', event => {
        if (event.pointerType === 'mouse' && markOf(event)) show(markOf(event));
      });
      chart.addEventListener('click', event => {
        const mark = markOf(event);
        if (!mark || mark === chosen || pointer !== 'touch') return;
        event.preventDefault();
        show(mark);
      });
      chart.tabIndex = 0;
      chart.setAttribute('role', 'group');
      chart.addEventListener('focus', () => {
        if (chart.matches(':focus-visible') && !chosen) show(marks[marks.length - 1]);
      });
      chart.addEventListener('keydown', event => {
        if (event.target !== chart || event.ctrlKey || event.metaKey || event.altKey) return;
        const at = marks.indexOf(chosen);
        const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: marks.length - 1 }[event.key];
        if (event.key === 'Enter' && chosen) location.assign(chosen.getAttribute('href'));
        else if (next === undefined) return;
        else show(marks[Math.max(0, Math.min(marks.length - 1, next))]);
        event.preventDefault();
      });
    }
  }
  prepareCharts();

  // Select all, and the sum of the selection for each currency.
  function prepareBulk() {
    const bulk = one('[data-bulk]');
    if (!bulk) return;
    const boxes = all('input[name=id]', bulk);
    const head = one('thead .pick', bulk);
    if (one('input', head)) return;
    const whole = document.createElement('input');
    whole.type = 'checkbox';
    whole.setAttribute('aria-label', bulk.dataset.all);
    head.append(whole);
    const said = one('[data-selected]', bulk);
    const count = () => {
      const chosen = boxes.filter(box => box.checked);
      const sums = new Map();
      for (const box of chosen) {
        // Transfers have no sum.
        if (!box.dataset.sum) continue;
        const [units, currency] = box.dataset.sum.split(' ');
        sums.set(currency, (sums.get(currency) || 0) + Number(units));
      }
      const texts = Array.from(sums, ([code, units]) => {
        const language = code === 'INR' ? 'en-IN' : 'en';
        const format = new Intl.NumberFormat(language, { style: 'currency', currency: code });
        return format.format(units / 10 ** format.resolvedOptions().maximumFractionDigits);
      });
      const some = bulk.dataset.some.replace('{count}', chosen.length);
      said.textContent = chosen.length ? [some, ...texts].join(', ') : bulk.dataset.none;
      one('.bulk', bulk).classList.toggle('on', chosen.length > 0);
      whole.checked = chosen.length === boxes.length;
      whole.indeterminate = chosen.length > 0 && chosen.length < boxes.length;
    };
    whole.addEventListener('change', () => { boxes.forEach(box => { box.checked = whole.checked; }); count(); });
    bulk.addEventListener('change', count);
    count();
  }
  prepareBulk();

  // Single keys, which can be switched off (WCAG 2.2, 2.1.4).
  const keysOn = () => stored('spendwise-keys') !== 'off';
  const toggle = one('[data-keys-switch]');
  if (toggle) {
    toggle.checked = keysOn();
    toggle.addEventListener('change', () => stored('spendwise-keys', toggle.checked ? 'on' : 'off'));
  }
  let current = -1;
  const rows = () => all('[data-row]');
  function move(step) {
    const list = rows();
    if (!list.length) return false;
    if (list[current]) list[current].classList.remove('current');
    current = Math.max(0, Math.min(list.length - 1, current + step));
    list[current].classList.add('current');
    const link = one('a', list[current]);
    if (link) link.focus({ preventScroll: true });
    list[current].scrollIntoView({ block: 'nearest' });
    return true;
  }
  async function help() {
    let dialog = one('dialog');
    if (!dialog) {
      const answer = await fetch('/app/help', { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
      const table = one('.keys', new DOMParser().parseFromString(await answer.text(), 'text/html'));
      if (!table) return;
      dialog = document.createElement('dialog');
      dialog.setAttribute('aria-label', table.dataset.title);
      const close = document.createElement('button');
      close.textContent = table.dataset.close;
      close.addEventListener('click', () => dialog.close());
      dialog.append(document.importNode(table, true), close);
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
  }

  // What arrived meanwhile. The page shows it at once where nobody is reading or writing, otherwise it offers to.
  const live = one('[data-live]');
  if (live && 'EventSource' in window) {
    const main = one('main');
    const opened = () => all('main details[open]').length;
    let [source, known, asks, asksAgain] = [null, null, false, false];
    let [isTouched, openedAtFirst] = [false, opened()];
    document.addEventListener('input', () => { isTouched = true; });
    const isCalm = () => {
      const focus = document.activeElement;
      return scrollY < 4 && !isTouched && current < 0 && getSelection().isCollapsed && opened() === openedAtFirst
        && (focus === main || !main.contains(focus)) && !one('[data-notice], .chosen, dialog[open], :popover-open');
    };
    // Keeps the elements that are the same: whoever reads there is not interrupted.
    const replace = (old, fresh) => {
      const [before, after] = [Array.from(old.children), Array.from(fresh.children)];
      if (before.length !== after.length) {
        old.replaceChildren(...after.map(element => document.importNode(element, true)));
      } else {
        before.forEach((element, index) => {
          if (!element.isEqualNode(after[index])) element.replaceWith(document.importNode(after[index], true));
        });
      }
      prepareBulk();
      prepareCharts();
      openedAtFirst = opened();
    };
    const tell = () => {
      if (live.firstChild) return;
      const [news, show] = [document.createElement('span'), document.createElement('button')];
      news.textContent = live.dataset.news;
      show.textContent = live.dataset.show;
      show.addEventListener('click', () => location.reload());
      live.append(news, show);
    };
    async function changed() {
      if (asks) { asksAgain = true; return; }
      asks = true;
      try {
        // A request that nobody made does not keep the login alive.
        const headers = { Accept: 'text/html', 'X-Unattended': '1' };
        const answer = await fetch(location.href, { headers, credentials: 'same-origin' });
        if (!answer.ok || answer.redirected) return;
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const [old, link] = [one('.top [data-go=r]'), one('.top [data-go=r]', page)];
        if (old && link) old.replaceChildren(...Array.from(link.childNodes, node => document.importNode(node, true)));
        const fresh = content(page);
        if (!fresh || fresh.innerHTML === shown) return;
        if (!isCalm()) { tell(); return; }
        shown = fresh.innerHTML;
        replace(content(), fresh);
      } catch { /* The next change asks again. */ } finally {
        asks = false;
        if (asksAgain) { asksAgain = false; changed(); }
      }
    }
    const leave = () => {
      if (source) source.close();
      source = null;
    };
    // A window in the background holds no connection: a browser has few of them.
    const connect = () => {
      if (document.hidden || source) return;
      source = new EventSource('/app/events');
      source.addEventListener('message', event => {
        if (known !== null && known !== event.data) changed();
        known = event.data;
      });
    };
    document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); else connect(); });
    addEventListener('pagehide', leave);
    addEventListener('pageshow', connect);
    connect();
  }

  let goes = false;
  document.addEventListener('keydown', event => {
    const target = event.target;
    const writes = target.closest('input:not([type=checkbox]),select,textarea');
    if (event.key === 'Escape' && writes) {
      // A browser would empty the search field.
      event.preventDefault();
      target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || writes || !keysOn() || one('dialog[open]')) return;
    let done = true;
    if (goes) {
      goes = false;
      const link = one('[data-go="' + CSS.escape(event.key) + '"]');
      if (link) link.click(); else done = false;
    } else if (event.key === 'g') {
      goes = true;
      setTimeout(() => { goes = false; }, 1500);
    } else if (event.key === '?') {
      help();
    } else if (event.key === '/') {
      const search = one('[data-search]');
      if (search) { search.focus(); search.select(); } else done = false;
    } else if (event.key === 'x' && rows()[current]) {
      const box = one('input[name=id]', rows()[current]);
      if (box) box.click();
    } else {
      const marked = one('[data-key="' + CSS.escape(event.key) + '"]');
      const field = one('[data-focus="' + CSS.escape(event.key) + '"]');
      if (marked) marked.click();
      else if (field) { field.focus(); if (field.select) field.select(); }
      else if (event.key === 'j' || event.key === 'ArrowDown' && current >= 0) done = move(1);
      else if (event.key === 'k' || event.key === 'ArrowUp' && current >= 0) done = move(-1);
      else done = false;
    }
    if (done) event.preventDefault();
  });
})();
