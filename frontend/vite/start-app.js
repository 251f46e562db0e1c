// Inlined in the HTML document, for prerendered pages. Such a page is readable without the app, and its links work. The
// app is loaded when the user is about to use a form, the tour or a select in the footer. The script runs before the
// page is shown, so that no click is missed, and leaves everything to the app once that has removed `data-entry`
// (src/shared/prerendered-page.ts).
(function () {
  const root = document.documentElement;
  const { entry, parts, atOnce } = root.dataset;
  if (!entry) return;
  let started = false;
  function appendToHead(tagName, properties) {
    document.head.append(Object.assign(document.createElement(tagName), properties));
  }
  function start() {
    if (started) return;
    started = true;
    for (const href of (parts || '').split(' ').filter(Boolean)) {
      appendToHead('link', { rel: 'modulepreload', crossOrigin: '', href });
    }
    const load = () => appendToHead('script', { type: 'module', src: entry });
    // The app replaces the page, so it needs all of it.
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', load);
    else load();
  }
  // The reason is read by the app.
  function startWithReason(reason) {
    root.setAttribute('data-start-with', reason);
    start();
  }
  function on(types, selector, listener) {
    for (const type of types) {
      addEventListener(type, (event) => {
        const element = root.hasAttribute('data-entry') && event.target.closest?.(selector);
        if (element) listener(event, element);
      });
    }
  }
  on(['click'], '[data-starts]', (_, element) => startWithReason(element.getAttribute('data-starts')));
  on(['pointerover', 'touchstart', 'focusin'], '[data-starts], .z-footer select, #root form', start);
  on(['change'], '.z-footer select', start);
  on(['submit'], '#root form', (event) => {
    event.preventDefault();
    startWithReason('submit');
  });
  // The app repeats the click. A link in a form may pass on what was typed.
  on(['click'], '#root main button[type="button"]:not([data-starts]), #root form a:not([target])', (event, element) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const clickables = [...document.querySelectorAll('#root button, #root a')];
    root.setAttribute('data-clicked', clickables.indexOf(element));
    start();
  });
  // The app must not replace the page while a pointer is pressed: the click would be lost.
  addEventListener('pointerdown', () => root.setAttribute('data-pressed', ''), true);
  for (const type of ['pointerup', 'pointercancel', 'dragend']) {
    addEventListener(type, () => root.removeAttribute('data-pressed'), true);
  }
  // A toast that the previous page stored, such as after the account was deleted.
  try {
    if (sessionStorage.getItem('zonary.toast')) start();
  } catch {
    // Without access to the storage there is no stored toast.
  }
  // The server asks for it, or this browser's language differs from the prerendered one.
  if (atOnce !== undefined || root.hasAttribute('data-other-language')) start();
})();
