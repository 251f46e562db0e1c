import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { SLOW } from './findings.mjs';
import { elsewhere } from './browser.mjs';

export const METRICS_TOKEN = 'a token for the figures of the attack';
const PAUSE = 20;

/**
 * Event loop stalls over 200 ms, from the product's metrics.
 * @throws Error if the metrics can't be read
 */
export async function stallsOf(url) {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const metrics = await response.text();
  const told = (name) => Number(new RegExp(`^zonary_event_loop_stall${name} ([\\d.]+)`, 'm').exec(metrics)?.[1]);
  const stalls = { count: told('s_total'), seconds: told('_seconds_sum') };
  if (Number.isNaN(stalls.count)) throw new Error(`The figures tell no stalls: ${response.status}`);
  return stalls;
}

/**
 * Runs `work` while a separate thread sends a health check every 20 ms, so that load in this process isn't attributed
 * to the server.
 * @returns a sentence about the response times; one longer than a second is a finding
 */
export async function watched(part, url, findings, work) {
  const before = await stallsOf(url);
  const neighbour = new Worker(new URL(import.meta.url), { workerData: { url } });
  await once(neighbour, 'message');
  let told;
  try {
    await work();
  } finally {
    neighbour.postMessage('enough');
    [told] = await once(neighbour, 'message');
  }
  const after = await stallsOf(url);
  if (told.failed > 0) findings.add(part, `${told.failed} of ${told.asked} neighbours got no answer`);
  if (told.longest > SLOW) findings.add(part, `others waited ${Math.round(told.longest)} ms`);
  const [count, seconds] = [after.count - before.count, after.seconds - before.seconds];
  return (
    `others waited ${Math.round(told.longest)} ms at most (${told.asked} asks), ` +
    `${count} stalls of the event loop over 200 ms, ${seconds.toFixed(1)} s in all`
  );
}

async function beNeighbour({ url }) {
  const told = { longest: 0, asked: 0, failed: 0 };
  let goesOn = true;
  parentPort.once('message', () => (goesOn = false));
  const ask = async () => {
    const begun = performance.now();
    const status = await fetch(`${url}/healthz`, { headers: elsewhere() }).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
    told.asked++;
    if (status !== 200) told.failed++;
    return performance.now() - begun;
  };
  // The first requests only load modules.
  await ask();
  parentPort.postMessage('ready');
  while (goesOn) {
    told.longest = Math.max(told.longest, await ask());
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  parentPort.postMessage(told);
}

if (!isMainThread && workerData?.url) await beNeighbour(workerData);
