// Inlined in the HTML document and run before the first paint. It applies the stored colour mode and language, so that
// the page doesn't flash in the wrong one, and sends the page's first API requests while its code loads.
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

  // The same for all URLs of a route: `:2` stands for the second segment of this URL's path.
  var segments = location.pathname.split('/');
  var headers = { 'Accept-Language': language || root.lang };
  var requests = (window.prefetchedRequests = {});
  var memberHomePaths = reads === 'true' && root.getAttribute('data-member-home-prefetches');
  (memberHomePaths || root.getAttribute('data-prefetches') || '').split(' ').forEach(function (pattern) {
    if (!pattern) return;
    var path = pattern.replace(/:(\d)/g, function (_, at) {
      return segments[at];
    });
    var response = fetch(path, { credentials: 'include', headers: headers });
    // The consumer handles the rejection (src/shared/api/prefetch-cache.ts).
    response.catch(function () {});
    requests[path] = { requestedAt: Date.now(), language: headers['Accept-Language'], response: response };
  });
})();
