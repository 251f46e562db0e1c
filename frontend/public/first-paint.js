// Runs before the first paint so that a stored light or dark choice never flashes the other one, nor a stored language.
// It is a file of its own because the page's content security policy allows no inline script.
(function () {
  var mode = null;
  var language = null;
  try {
    mode = localStorage.getItem('zonary.colorMode');
    language = localStorage.getItem('zonary.language');
  } catch {
    mode = null;
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
  if (language && language !== document.documentElement.lang) {
    document.documentElement.setAttribute('data-other-language', '');
  }
})();
