import { backendTransform } from './backend/test/support/runner/transform.mjs';

/** TypeScript and JSX of the frontend, and the few packages that only ship modern modules, as CommonJS. */
const frontendTransform = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** Packages whose only form jsdom's CommonJS world cannot load as it is. */
const modernOnly = ['react-hotkeys-hook'];

/** PostgreSQL for the suites of the server, with the migrated database that each copies. */
const server = {
  globalSetup: '<rootDir>/backend/test/support/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/backend/test/support/runner/global-teardown.mjs',
};

/** A test that prints fails. */
const quiet = '<rootDir>/scripts/lib/quiet-after-each.cjs';

/** Not in the temporary folder, as that is another one at each run. */
const cacheDirectory = '<rootDir>/node_modules/.cache/jest';

/** @type {import('jest').Config} */
export default {
  // Patience for a machine that is busy; it costs nothing where all is well, and what must be fast is measured by the benches.
  testTimeout: 240_000,
  // Jest's default leaves a core idle, and in one process of its own on two: what its suites hold is never given back.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
  // At the end a worker has nothing open any more, but up to 1.2 GB of heap to give back, which takes longer than Jest's
  // half second on a busy machine. What a suite really leaves open lives on, and is still reported.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/scripts/lib/proof/waiting-first.mjs',
  projects: [
    {
      displayName: 'backend',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/backend/src', '<rootDir>/backend/test'],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/backend/test/parts/'],
      // Node loads the product once for all suites of a process: loading it anew for each took half of their time.
      runner: '<rootDir>/backend/test/support/runner/suite-runner.mjs',
      setupFiles: [
        '<rootDir>/backend/test/support/runner/typescript.mjs',
        '<rootDir>/backend/test/support/runner/setup.mjs',
      ],
      setupFilesAfterEnv: [
        '<rootDir>/backend/test/support/runner/quiet.mjs',
        '<rootDir>/backend/test/support/runner/patience.mjs',
      ],
      ...server,
    },
    {
      // Suites that put together a part of the product, whose registries must not know the whole, nor share its log.
      displayName: 'parts',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/backend/test/parts'],
      testMatch: ['**/*.spec.ts'],
      testEnvironment: 'node',
      extensionsToTreatAsEsm: ['.ts'],
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
      transform: { '^.+\\.ts$': ['@swc/jest', backendTransform] },
      setupFiles: ['<rootDir>/backend/test/support/runner/setup.mjs'],
      setupFilesAfterEnv: [quiet],
      ...server,
    },
    {
      displayName: 'frontend',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/frontend/src'],
      testMatch: ['**/*.spec.{ts,tsx}'],
      testEnvironment: '<rootDir>/frontend/jest-environment.mjs',
      setupFilesAfterEnv: ['@testing-library/jest-dom', quiet, '<rootDir>/frontend/test/reset-session-storage.ts'],
      moduleNameMapper: { '\\.(css|svg|png|woff2)(\\?.*)?$': '<rootDir>/frontend/jest-asset.cjs' },
      transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', frontendTransform] },
      transformIgnorePatterns: [`/node_modules/(?!(${modernOnly.join('|')})/)`],
    },
    {
      displayName: 'scripts',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/scripts'],
      testMatch: ['**/*.spec.mjs'],
      testEnvironment: 'node',
      transform: {},
      setupFilesAfterEnv: [quiet],
    },
  ],
};
