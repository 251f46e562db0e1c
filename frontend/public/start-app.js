// Starts the app of a prerendered page. Such a page is readable without the app, and its links work. The app is loaded
// when the user is about to use a form, the tour or a select in the footer.
(() => {
  const { entry, parts, atOnce } = document.currentScript.dataset;
  const root = document.documentElement;
  let started = false;
  function appendToHead(tagName, properties) {
    document.head.append(Object.assign(document.createElement(tagName), properties));
  }
  function start() {
    if (started) return;
    started = true;
    for (const href of parts.split(' ').filter(Boolean)) {
      appendToHead('link', { rel: 'modulepreload', crossOrigin: '', href });
    }
    appendToHead('script', { type: 'module', src: entry });
  }
  function on(selector, types, listener) {
    for (const element of document.querySelectorAll(selector)) {
      for (const type of types) element.addEventListener(type, listener);
    }
  }
  // The reason is read by the app (src/shared/prerendered-page.ts).
  function startWithReason(reason) {
    root.setAttribute('data-start-with', reason);
    start();
  }
  const interactionEvents = ['pointerenter', 'touchstart', 'focusin'];
  on('[data-starts]', ['click'], (event) => startWithReason(event.currentTarget.getAttribute('data-starts')));
  on('[data-starts], .z-footer select, #root form', interactionEvents, start);
  on('.z-footer select', ['change'], start);
  on('#root form', ['submit'], (event) => {
    event.preventDefault();
    startWithReason('submit');
  });
  // The app repeats the click (src/shared/prerendered-page.ts). A link in a form may pass on what was typed.
  const clickables = [...document.querySelectorAll('#root button, #root a')];
  on('#root main button[type="button"]:not([data-starts]), #root form a:not([target])', ['click'], (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    root.setAttribute('data-clicked', clickables.indexOf(event.currentTarget));
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
