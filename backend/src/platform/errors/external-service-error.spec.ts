import { isExternalServiceError } from './external-service-error.js';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

describe('isExternalServiceError', () => {
  it.each([
    ...[
      '57P01',
      '57P02',
      '57P03',
      '57014',
      '55P03',
      '53100',
      '53200',
      '53300',
      '25006',
      '25P03',
      '08006',
      '58030',
      'XX001',
    ],
    ...[
      'ECONNRESET',
      'ECONNREFUSED',
      'EPIPE',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENOTFOUND',
      'EAI_AGAIN',
      'POOL_TIMEOUT',
    ],
  ])('accepts %s at any depth', (code) => {
    const error = withCode(code);
    expect(isExternalServiceError(error)).toBe(true);
    expect(isExternalServiceError(new Error('The list could not be read', { cause: error }))).toBe(true);
    expect(isExternalServiceError(new AggregateError([error]))).toBe(true);
    expect(isExternalServiceError(Object.assign(new Error('x'), { previous: error }))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('accepts the driver message without a code: %s', (message) => {
    expect(isExternalServiceError(new Error(message))).toBe(true);
  });

  it('accepts a missing socket but not a missing file', () => {
    expect(isExternalServiceError(withCode('ENOENT', { syscall: 'connect' }))).toBe(true);
    expect(isExternalServiceError(withCode('ENOENT', { syscall: 'open' }))).toBe(false);
  });

  it.each(['23505', '22P02', '42703', '40P01'])('rejects %s', (code) => {
    expect(isExternalServiceError(withCode(code))).toBe(false);
  });

  it('handles circular causes', () => {
    const one = new Error('one');
    one.cause = one;
    expect(isExternalServiceError(one)).toBe(false);
  });
});
