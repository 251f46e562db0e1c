// Stands in the document itself and runs before the first paint: a stored choice of light or dark, or of a language,
// never flashes the other one, and what the page asks the server for first is on its way while its program loads.
(function () {
  var root = document.documentElement;
  var mode = null;
  var language = null;
  var reads = null;
  try {
    mode = localStorage.getItem('zonary.colorMode');
    language = localStorage.getItem('zonary.language');
    reads = localStorage.getItem('zonary.reads');
  } catch {
    mode = null;
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-theme', dark ? 'dark' : 'light');
  if (language && language !== root.lang) root.setAttribute('data-other-language', '');

  // The paths are the same for every address of a page: `:2` stands for the second part of this one.
  var parts = location.pathname.split('/');
  var headers = { 'Accept-Language': language || root.lang };
  var asked = (window.askedAhead = {});
  var ofReaders = reads === 'true' && root.getAttribute('data-readers-asks');
  (ofReaders || root.getAttribute('data-asks') || '').split(' ').forEach(function (pattern) {
    if (!pattern) return;
    var path = pattern.replace(/:(\d)/g, function (_, at) {
      return parts[at];
    });
    var answer = fetch(path, { credentials: 'include', headers: headers });
    // Who takes it sees the failure.
    answer.catch(function () {});
    asked[path] = { at: Date.now(), language: headers['Accept-Language'], answer: answer };
  });
})();
