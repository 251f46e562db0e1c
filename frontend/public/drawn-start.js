// A page that comes drawn in its document can be read at once. This brings it to life when somebody is about to use what
// needs a program: a form, the tour, the choices in the footer. Links and questions work without.
(() => {
  const { entry, parts, atOnce } = document.currentScript.dataset;
  const root = document.documentElement;
  let started = false;
  function add(element, facts) {
    document.head.append(Object.assign(document.createElement(element), facts));
  }
  function start() {
    if (started) return;
    started = true;
    for (const href of parts.split(' ').filter(Boolean)) add('link', { rel: 'modulepreload', crossOrigin: '', href });
    add('script', { type: 'module', src: entry });
  }
  function on(selector, types, then) {
    for (const element of document.querySelectorAll(selector)) {
      for (const type of types) element.addEventListener(type, then);
    }
  }
  function startWith(what) {
    root.setAttribute('data-start-with', what);
    start();
  }
  const using = ['pointerenter', 'touchstart', 'focusin'];
  on('[data-starts]', ['click'], (event) => startWith(event.currentTarget.getAttribute('data-starts')));
  on('[data-starts], .z-footer select, #root form', using, start);
  on('.z-footer select', ['change'], start);
  on('#root form', ['submit'], (event) => {
    event.preventDefault();
    startWith('submit');
  });
  // While a finger or button is down nothing may take the place of what is pressed: the click would be lost.
  addEventListener('pointerdown', () => root.setAttribute('data-pressed', ''), true);
  for (const type of ['pointerup', 'pointercancel', 'dragend']) {
    addEventListener(type, () => root.removeAttribute('data-pressed'), true);
  }
  // What the page before left to be said, such as that an account is deleted.
  try {
    if (sessionStorage.getItem('zonary.toast')) start();
  } catch {
    // A browser that keeps nothing has nothing to be said.
  }
  // A choice of this browser that differs from what was drawn: draw it again at once.
  if (atOnce !== undefined || root.hasAttribute('data-other-language')) start();
})();
