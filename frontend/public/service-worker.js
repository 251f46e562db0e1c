// Lets browsers install the page as an app: shows a page without a connection, and receives files that other apps share.
// It caches nothing, so no screen shows old data and nothing private stays on the device.

/** As in the web manifest (backend/src/platform/http/page/web-manifest.ts). */
const SHARE_PATH = '/share-files';
const UPLOAD_PAGE = '/dashboard?do=upload';
/** How long shared files wait for the page, which may have to ask for the password first. In milliseconds. */
const SHARE_TIMEOUT = 5 * 60_000;

const texts = {
  en: {
    title: 'No Connection',
    text: 'The page can’t be loaded. Please check your connection and try again.',
    retry: 'Try Again',
  },
  tr: {
    title: 'Bağlantı Yok',
    text: 'Sayfa yüklenemiyor. Lütfen bağlantınızı kontrol edip yeniden deneyin.',
    retry: 'Yeniden Dene',
  },
};
/** The page registers the worker with its language (src/app/use-service-worker.ts). */
const language = new URL(location.href).searchParams.get('language') === 'tr' ? 'tr' : 'en';

/** Files that another app shared and no page has taken yet. */
let shared = null;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  // The browser requests the page while the worker starts, so that the worker delays nothing.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { method, mode, destination, url } = event.request;
  const { pathname } = new URL(url);
  if (method === 'POST' && pathname === SHARE_PATH) receiveFiles(event);
  else if (method === 'GET' && mode === 'navigate' && destination === 'document' && !pathname.startsWith('/api/'))
    event.respondWith(loadPage(event));
});

self.addEventListener('message', (event) => {
  if (event.data === 'take-shared-files') event.waitUntil(handOver(event.ports[0]));
});

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

function receiveFiles(event) {
  const files = event.request.formData().then((data) => data.getAll('files').filter((value) => value instanceof File));
  const { promise: taken, resolve } = Promise.withResolvers();
  const received = { files, confirm: resolve };
  shared = received;
  setTimeout(() => {
    if (shared === received) shared = null;
    resolve();
  }, SHARE_TIMEOUT);
  // The browser ends an idle worker, and with it the files.
  event.waitUntil(taken);
  event.respondWith(files.then(() => Response.redirect(UPLOAD_PAGE, 303)));
}

async function handOver(port) {
  const received = shared;
  shared = null;
  port.postMessage((await received?.files) ?? []);
  received?.confirm();
}

function offlinePage() {
  const { title, text, retry } = texts[language];
  const html = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 24px; text-align: center }
  h1 { font-size: 1.5rem }
  a { display: inline-block; padding: 12px 24px; border: 1px solid; border-radius: 8px; color: inherit; text-decoration: none }
</style>
<main><h1>${title}</h1><p>${text}</p><p><a href="">${retry}</a></p></main>
</html>`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  };
  return new Response(html, { status: 503, headers });
}
