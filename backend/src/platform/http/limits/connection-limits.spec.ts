import { createServer } from 'node:http';
import { limitConnections } from './connection-limits.js';
import { defaultHttpTimeouts } from './timeouts.js';

describe('Rejected connections', () => {
  it('logs refused connections at most once a minute with their number', () => {
    let now = 1_000_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const messages: string[] = [];
    const logger = { warn: (line: string) => void messages.push(line), log: () => undefined, error: () => undefined };
    const server = createServer();
    try {
      limitConnections(server, 7, defaultHttpTimeouts, logger);
      for (let count = 0; count < 3; count++) server.emit('drop');
      now += 59_999;
      server.emit('drop');
      expect(messages).toEqual([expect.stringContaining('7 are open (MAX_CONNECTIONS); 1 rejected')]);
      now += 1;
      server.emit('drop');
      expect(messages.slice(1)).toEqual([expect.stringContaining('; 4 rejected since the last message')]);
    } finally {
      clock.mockRestore();
      server.emit('close');
    }
  });
});
