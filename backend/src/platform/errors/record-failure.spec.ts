import { Logger } from '@nestjs/common';
import { recordFailure } from './record-failure.js';

describe('recordFailure', () => {
  it('logs an error of the recording without throwing', async () => {
    const logger = new Logger('Test');
    const logged = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const error = new Error('The table is away');
    await recordFailure(logger, 'the refusal', () => Promise.reject(error), { zoneId: 3 });
    expect(logged).toHaveBeenCalledWith({ zoneId: 3, err: error }, "Couldn't record the refusal.");
  });

  it('records without logging when it succeeds', async () => {
    const logger = new Logger('Test');
    const logged = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const record = jest.fn(() => Promise.resolve());
    await recordFailure(logger, 'the refusal', record);
    expect([record.mock.calls.length, logged.mock.calls.length]).toEqual([1, 0]);
  });
});
