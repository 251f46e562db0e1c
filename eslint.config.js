import globals from 'globals';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'node_modules/', 'coverage/', 'test-results/', 'frontend/src/shared/api/schema.d.ts'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
    },
  },
  {
    files: ['frontend/**/*.{ts,tsx}'],
    languageOptions: { globals: { ...globals.browser } },
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['backend/**/*.spec.ts', 'backend/test/**/*.ts'],
    ignores: ['backend/test/parts/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: '@jest/globals', message: 'Suites of the whole application share their modules: use the global jest.' },
      ],
    },
  },
  {
    files: ['backend/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'backend/src/cli/**', '**/*.providers.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['ArrayExpression', 'TSAsExpression > ArrayExpression'].map((list) => ({
          selector: `Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > ${list}`,
          message: 'Use freezeList([…]): an exported list must not be changed by a module that imports it.',
        })),
        {
          // The same for unexported lists: decorators keep them, and Swagger exposes them.
          selector: 'Program > VariableDeclaration > VariableDeclarator > TSAsExpression > ArrayExpression',
          message: 'Use freezeList([…]): it freezes the list at run time; "as const" does so in types only.',
        },
      ],
    },
  },
  { files: ['scripts/**', 'bench/**', 'backend/src/cli/**'], rules: { 'no-console': 'off' } },
);
