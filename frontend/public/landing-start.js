// The landing page can be read as it comes. This brings it to life when somebody is about to use what needs a program:
// the tour, the choices in the footer. Links and questions work without.
(() => {
  const entry = document.currentScript.getAttribute('data-entry');
  let started = false;
  function start() {
    if (started) return;
    started = true;
    const script = document.createElement('script');
    script.type = 'module';
    script.src = entry;
    document.head.appendChild(script);
  }
  function on(selector, type, then) {
    document.querySelectorAll(selector).forEach((element) => {
      element.addEventListener(type, then, { once: true });
    });
  }
  on('[data-starts]', 'click', (event) => {
    document.documentElement.setAttribute('data-start-with', event.currentTarget.getAttribute('data-starts'));
    start();
  });
  on('[data-starts], .z-footer select', 'pointerenter', start);
  on('[data-starts], .z-footer select', 'focus', start);
  on('.z-footer select', 'change', start);
  // What the page before left to be said, such as that an account is deleted.
  try {
    if (sessionStorage.getItem('zonary.toast')) start();
  } catch {
    // A browser that keeps nothing has nothing to be said.
  }
  // A choice of this browser that differs from what was drawn: draw it again at once.
  if (document.documentElement.hasAttribute('data-other-language')) start();
})();
