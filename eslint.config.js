import globals from 'globals';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const exportedLists = [
  ...['ArrayExpression', 'TSAsExpression > ArrayExpression'].map((list) => ({
    selector: `Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > ${list}`,
    message: 'Use freezeList([…]): an exported list must not be changed by a module that imports it.',
  })),
  {
    // The same for unexported lists: decorators keep them, and Swagger exposes them.
    selector: 'Program > VariableDeclaration > VariableDeclarator > TSAsExpression > ArrayExpression',
    message: 'Use freezeList([…]): it freezes the list at run time; "as const" does so in types only.',
  },
];

/** Services use the entity manager only to open transactions. */
const queryMethods =
  '/^(find|findOne|findOneOrFail|findAll|findAndCount|count|create|assign|persist|remove|flush|insert|insertMany|upsert|upsertMany|nativeUpdate|nativeDelete|lock|refresh|populate|getReference|getKysely|getConnection|execute)$/';
const entityManagerQueries = [
  "[object.name='em']",
  "[object.property.name='em']",
  "[object.callee.property.name='fork']",
].map((object) => ({
  selector: `CallExpression > MemberExpression.callee${object}[property.name=${queryMethods}]`,
  message: 'SQL is in repositories (ADR 0047): the entity manager of a service only opens transactions.',
}));

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
      'no-restricted-syntax': ['error', ...exportedLists],
    },
  },
  {
    files: ['backend/src/{modules,platform}/**/*.ts'],
    ignores: [
      ...['**/*.repository.ts', '**/*.sql.ts', '**/*.spec.ts', '**/*.providers.ts'],
      'backend/src/platform/database/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...exportedLists, ...entityManagerQueries] },
  },
  { files: ['scripts/**', 'bench/**', 'backend/src/cli/**'], rules: { 'no-console': 'off' } },
);
