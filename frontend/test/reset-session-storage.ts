// Drafts must not leak into the next test.
afterEach(() => globalThis.sessionStorage?.clear());
