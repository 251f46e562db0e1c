import { NotFoundException } from '@nestjs/common';
import { commonErrors } from '../../errors/common.errors.js';
import { toAppError } from './error.filter.js';

const createError = (code: string, cause?: Error) =>
  Object.assign(new Error('said by the driver', { cause }), { code });

describe('toAppError', () => {
  it.each([
    ['a deadlock after all retries', createError('40P01'), 503, 'SERVICE_UNAVAILABLE', 1],
    [
      'a serialization failure, as the ORM wraps it',
      new Error('wrapped', { cause: createError('40001') }),
      503,
      'SERVICE_UNAVAILABLE',
      1,
    ],
    ['a lock timeout', createError('55P03'), 503, 'SERVICE_UNAVAILABLE', 5],
    ['a database that became read-only', createError('25006'), 503, 'SERVICE_UNAVAILABLE', 5],
    ['an unknown route', new NotFoundException(), 404, 'NOT_FOUND', undefined],
    ['an internal error', new TypeError('x is not a function'), 500, 'INTERNAL', undefined],
    ['a thrown value that is not an Error', 'thrown', 500, 'INTERNAL', undefined],
  ])('converts %s', (_, exception, status, code, retryAfter) => {
    const error = toAppError(exception);
    expect([error.status, error.code, error.details?.retryAfter]).toEqual([status, code, retryAfter]);
  });

  it('returns application errors unchanged', () => {
    const error = commonErrors.FORBIDDEN();
    expect(toAppError(error)).toBe(error);
  });
});
