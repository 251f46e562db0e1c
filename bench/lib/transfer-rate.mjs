import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';

const CONNECTIONS = 4;
const units = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 };

/**
 * Bytes per second of repeated requests to a URL over 4 connections. Measured by wrk, which uses hardly any CPU, or by
 * this process without wrk.
 */
export async function transferRate(url, seconds, cookie) {
  const headers = cookie ? { Cookie: cookie } : {};
  const before = await status(url, headers);
  if (before !== 200) throw new Error(`${url}: ${before}`);
  try {
    return await byWrk(url, seconds, headers);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return byNode(url, seconds, headers);
  }
}

async function byWrk(url, seconds, headers) {
  const args = ['-t', '2', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '30s'];
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await promisify(execFile)('wrk', [...args, ...lines, url]);
  const [, figure, unit] = /Transfer\/sec:\s+([\d.]+)(KB|MB|GB)/.exec(stdout) ?? [];
  if (!figure || /Non-2xx/.test(stdout)) throw new Error(`wrk says:\n${stdout}`);
  return Number(figure) * units[unit];
}

async function byNode(url, seconds, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + seconds * 1000;
  let bytes = 0;
  const one = async () => {
    while (performance.now() < end) await status(url, headers, agent, (chunk) => (bytes += chunk.length));
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
  return bytes / ((performance.now() - begun) / 1000);
}

function status(url, headers, agent, onData = () => undefined) {
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
