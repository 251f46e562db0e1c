import query from '@tanstack/eslint-plugin-query';
import tseslint from 'typescript-eslint';

// Only rules that oxlint (.oxlintrc.json) doesn't have.

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
  // Disable comments are for oxlint too.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  {
    files: ['frontend/src/**/*.{ts,tsx}'],
    extends: [query.configs['flat/recommended']],
    languageOptions: { parser: tseslint.parser },
  },
  {
    files: ['backend/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'backend/src/cli/**', '**/*.providers.ts'],
    languageOptions: { parser: tseslint.parser },
    rules: { 'no-restricted-syntax': ['error', ...exportedLists] },
  },
  {
    files: ['backend/src/{modules,platform}/**/*.ts'],
    ignores: [
      ...['**/*.repository.ts', '**/*.sql.ts', '**/*.spec.ts', '**/*.providers.ts'],
      'backend/src/platform/database/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...exportedLists, ...entityManagerQueries] },
  },
);
