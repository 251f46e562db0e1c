import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { SLOW_MS } from './findings.mjs';
import { newNetworkHeaders } from './browser.mjs';

export const METRICS_TOKEN = 'a token for the metrics of the security test';
const INTERVAL_MS = 20;

/**
 * Reads the number and total duration of event loop stalls over 200 ms from the product's metrics.
 * @throws Error if the metrics can't be read
 */
export async function readStalls(url) {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const metrics = await response.text();
  const metric = (name) => Number(new RegExp(`^zonary_event_loop_stall${name} ([\\d.]+)`, 'm').exec(metrics)?.[1]);
  const stalls = { count: metric('s_total'), seconds: metric('_seconds_sum') };
  if (Number.isNaN(stalls.count)) throw new Error(`The metrics contain no event loop stalls: ${response.status}`);
  return stalls;
}

/**
 * Runs `work` while a separate thread sends a health check every 20 ms, so that load in this process isn't attributed
 * to the server.
 * @returns a sentence about the response times; one longer than a second is a finding
 */
export async function withHealthProbe(part, url, findings, work) {
  const before = await readStalls(url);
  const probe = new Worker(new URL(import.meta.url), { workerData: { url } });
  await once(probe, 'message');
  let result;
  try {
    await work();
  } finally {
    probe.postMessage('stop');
    [result] = await once(probe, 'message');
  }
  const after = await readStalls(url);
  if (result.failed > 0) findings.add(part, `${result.failed} of ${result.requests} health checks failed`);
  if (result.longest > SLOW_MS) findings.add(part, `a health check took ${Math.round(result.longest)} ms`);
  const [count, seconds] = [after.count - before.count, after.seconds - before.seconds];
  return (
    `other requests waited ${Math.round(result.longest)} ms at most (${result.requests} requests), ` +
    `${count} event loop stalls over 200 ms, ${seconds.toFixed(1)} s in total`
  );
}

async function runProbe({ url }) {
  const result = { longest: 0, requests: 0, failed: 0 };
  let isRunning = true;
  parentPort.once('message', () => (isRunning = false));
  const sendRequest = async () => {
    const startedAt = performance.now();
    const status = await fetch(`${url}/healthz`, { headers: newNetworkHeaders() }).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
    result.requests++;
    if (status !== 200) result.failed++;
    return performance.now() - startedAt;
  };
  // The first requests only load modules.
  await sendRequest();
  parentPort.postMessage('ready');
  while (isRunning) {
    result.longest = Math.max(result.longest, await sendRequest());
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
  parentPort.postMessage(result);
}

if (!isMainThread && workerData?.url) await runProbe(workerData);
