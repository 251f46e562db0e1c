/**
 * Takes the files that another app has shared with the installed app. Its service worker (public/service-worker.js) keeps
 * them for five minutes.
 * @returns none if no files wait or no service worker controls the page
 */
export function takeSharedFiles(): Promise<readonly File[]> {
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker.controller : null;
  if (!worker) return Promise.resolve([]);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data as File[]);
    };
    worker.postMessage('take-shared-files', [port2]);
  });
}
