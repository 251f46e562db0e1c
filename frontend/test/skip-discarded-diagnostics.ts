import { configure, getConfig } from '@testing-library/react';
import * as React from 'react';

/** Internals of these versions; without them, suites are only slower. */
interface TestingLibraryInternals {
  readonly _disableExpensiveErrorDiagnostics?: boolean;
}
interface ReactInternals {
  readonly __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE?: object;
}

/**
 * React records a stack for each of the first 10,000 elements per second, which took a sixth of the suites' time. It
 * belongs to `captureOwnerStack`; warnings and errors show the components without it.
 */
export function skipOwnerStacks(): void {
  const internals = (React as ReactInternals).__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
  if (internals) Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });
}

/**
 * A query that waits is repeated until it succeeds, and printed the page for each failure, which took a twentieth of the
 * suites' time. Only the error after the timeout, which is created separately, is shown.
 */
export function skipPageInRepeatedErrors(): void {
  const { getElementError } = getConfig();
  configure({
    getElementError: (message, container) => {
      const { _disableExpensiveErrorDiagnostics: isRepeated } = getConfig() as TestingLibraryInternals;
      if (!isRepeated) return getElementError(message, container);
      return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
    },
  });
}
