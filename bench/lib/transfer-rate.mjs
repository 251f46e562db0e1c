import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';

const CONNECTIONS = 4;
const UNITS = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 };

/**
 * Bytes per second of repeated requests to a URL over 4 connections. Measured by wrk, which uses hardly any CPU, or by
 * this process without wrk.
 */
export async function transferRate(url, seconds, cookie) {
  const headers = cookie ? { Cookie: cookie } : {};
  const status = await fetchStatus(url, headers);
  if (status !== 200) throw new Error(`${url}: ${status}`);
  try {
    return await measureWithWrk(url, seconds, headers);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return measureWithNode(url, seconds, headers);
  }
}

async function measureWithWrk(url, seconds, headers) {
  const args = ['-t', '2', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '30s'];
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await promisify(execFile)('wrk', [...args, ...lines, url]);
  const [, value, unit] = /Transfer\/sec:\s+([\d.]+)(KB|MB|GB)/.exec(stdout) ?? [];
  if (!value || /Non-2xx/.test(stdout)) throw new Error(`Unexpected output of wrk:\n${stdout}`);
  return Number(value) * UNITS[unit];
}

async function measureWithNode(url, seconds, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const deadline = performance.now() + seconds * 1000;
  let bytes = 0;
  const download = async () => {
    while (performance.now() < deadline) await fetchStatus(url, headers, agent, (chunk) => (bytes += chunk.length));
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, download));
  agent.destroy();
  return bytes / ((performance.now() - startedAt) / 1000);
}

function fetchStatus(url, headers, agent, onData = () => undefined) {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      response.on('data', onData);
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
