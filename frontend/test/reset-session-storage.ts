// What a tab keeps over a reload is not for the next test.
afterEach(() => globalThis.sessionStorage?.clear());
