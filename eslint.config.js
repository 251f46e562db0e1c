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
        { name: '@jest/globals', message: 'Suites of the whole share their modules: jest is a global there.' },
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
          message: 'Write catalogue([…]): a list that others share must not be changed by one of them.',
        })),
        {
          // Nor one of its own: whom decorators give it to keeps it, and hands it out as it is.
          selector: 'Program > VariableDeclaration > VariableDeclarator > TSAsExpression > ArrayExpression',
          message: 'Write catalogue([…]): it freezes the list, which "as const" does in types only.',
        },
      ],
    },
  },
  { files: ['scripts/**', 'bench/**', 'backend/src/cli/**'], rules: { 'no-console': 'off' } },
);
