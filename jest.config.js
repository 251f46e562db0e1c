import { backendTransform } from './backend/test/support/runner/transform.mjs';

/** TypeScript and JSX of the frontend, and the few packages that ship only ES modules, as CommonJS. */
const frontendTransform = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** Packages that ship only ES modules, which Jest can't load in jsdom without a transform. */
const esmPackages = ['react-hotkeys-hook'];

/** Starts PostgreSQL for the suites of the server, with the migrated database that each copies. */
const postgresSetup = {
  globalSetup: '<rootDir>/backend/test/support/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/backend/test/support/runner/global-teardown.mjs',
};

/** Fails tests that print. */
const failOnOutput = '<rootDir>/scripts/lib/fail-on-output-after-each.cjs';

/** Not in the temporary folder, because each run has a new one. */
const cacheDirectory = '<rootDir>/node_modules/.cache/jest';

/** @type {import('jest').Config} */
export default {
  // Generous for a busy machine; passing tests don't wait for it. Speed is measured by the benchmarks.
  testTimeout: 240_000,
  // Jest's default leaves a core idle; on two cores it runs all suites in one process, which never frees their memory.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
  // A finished worker has up to 1.2 GB of heap to free, which takes longer than Jest's default of half a second on a busy
  // machine. Suites that leave something open are still reported.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/scripts/lib/test-runner/sequencer.mjs',
  projects: [
    {
      displayName: 'backend',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/backend/src', '<rootDir>/backend/test'],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/backend/test/parts/'],
      // Each process loads the product once for all its suites: loading it for each suite took half of the time.
      runner: '<rootDir>/backend/test/support/runner/suite-runner.mjs',
      setupFiles: [
        '<rootDir>/backend/test/support/runner/typescript.mjs',
        '<rootDir>/backend/test/support/runner/setup.mjs',
      ],
      setupFilesAfterEnv: [
        '<rootDir>/backend/test/support/runner/fail-on-output.mjs',
        '<rootDir>/backend/test/support/runner/timeouts.mjs',
      ],
      ...postgresSetup,
    },
    {
      // Suites that assemble a part of the product, whose registries must not contain the rest, nor share its log.
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
      setupFilesAfterEnv: [failOnOutput],
      ...postgresSetup,
    },
    {
      displayName: 'frontend',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/frontend/src'],
      testMatch: ['**/*.spec.{ts,tsx}'],
      testEnvironment: '<rootDir>/frontend/jest-environment.mjs',
      setupFilesAfterEnv: [
        '@testing-library/jest-dom',
        failOnOutput,
        '<rootDir>/frontend/test/reset-session-storage.ts',
      ],
      moduleNameMapper: { '\\.(css|svg|png|woff2)(\\?.*)?$': '<rootDir>/frontend/jest-asset.cjs' },
      transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', frontendTransform] },
      transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
    },
    {
      displayName: 'scripts',
      rootDir: import.meta.dirname,
      cacheDirectory,
      roots: ['<rootDir>/scripts'],
      testMatch: ['**/*.spec.mjs'],
      testEnvironment: 'node',
      transform: {},
      setupFilesAfterEnv: [failOnOutput],
    },
  ],
};
