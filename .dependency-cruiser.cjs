/** The order of the modules: each may import the platform and the modules before it. */
const order = [
  'retention',
  'auth',
  'activity',
  'plans',
  'zones',
  'files',
  'mirrors',
  'links',
  'campaigns',
  'billing',
  'integrations',
  'suggestions',
  'insights',
  'site',
  'account',
  'admin',
];

const onlyEarlierModules = order.map((name, index) => ({
  name: `module-order-${name}`,
  comment: `${name} may import only the modules before it in the list: ${order.slice(0, index).join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: `^backend/src/modules/${name}/` },
  to: { path: `^backend/src/modules/(${order.slice(index + 1).join('|') || 'none'})/` },
}));

/** Backend files that the page uses too. */
const sharedChecks =
  '^backend/src/modules/auth/(passwords/(password-strength|common-passwords|turkish-words)|shared/reserved-usernames)\\.ts$';

module.exports = {
  forbidden: [
    { name: 'no-circular-imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead code.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.spec\\.tsx?$', '\\.d\\.ts$', '^backend/src/(main|cli/[^/]+)\\.ts$'] },
      to: {},
    },
    {
      name: 'platform-imports-no-modules',
      severity: 'error',
      from: { path: '^backend/src/platform/' },
      to: { path: '^backend/src/(modules|app\\.module|process|cli)' },
    },
    ...onlyEarlierModules,
    {
      name: 'modules-import-only-public-files',
      comment:
        'Another module may import modules, services, repositories, entities, guards, decorators, events, ports, jobs, errors, policies and DTOs.',
      severity: 'error',
      from: { path: '^backend/src/modules/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^backend/src/modules/',
        pathNot: [
          '^backend/src/modules/$1/',
          '\\.(module|service|repository|sql|entity|guard|decorator|events|port|jobs|errors|dto|policy)\\.ts$',
          // A form is parsed by its controller.
          '^backend/src/modules/files/upload/upload-form\\.ts$',
        ],
      },
    },
    {
      name: 'folders-expose-only-services',
      comment:
        'Code shared within a module is in shared/; other folders use only services and declarations of a folder.',
      severity: 'error',
      from: { path: '^backend/src/modules/([^/]+)/([^/]+)/', pathNot: '\\.(spec|providers)\\.ts$' },
      to: {
        path: '^backend/src/modules/$1/[^/]+/',
        pathNot: [
          '^backend/src/modules/$1/($2|dto|entities|emails|shared)/',
          '\\.(service|repository|sql|entity|guard|decorator|events|port|jobs|errors|dto|policy|email)\\.ts$',
          // The password check also runs in the browser and imports nothing; a form is parsed before its controller.
          '^backend/src/modules/(auth/passwords/password-strength|files/upload/upload-form)\\.ts$',
        ],
      },
    },
    {
      name: 'sql-only-in-repositories',
      comment: 'SQL is in *.repository.ts, shared fragments of it in *.sql.ts.',
      severity: 'error',
      from: {
        path: '^backend/src/(modules|platform)/',
        pathNot: [
          '\\.(repository|sql|spec)\\.ts$',
          // The query functions themselves, and the pages of lists that repositories query with.
          '^backend/src/platform/(database|http/lists)/',
          // Expressions for statements of repositories: the database's current time, and the search key of a text.
          '^backend/src/platform/(clock/clock|text/normalise-for-search)\\.ts$',
        ],
      },
      to: { path: '(^backend/src/platform/database/(query|prepared-queries|cached-query)\\.ts|node_modules/kysely/)' },
    },
    {
      name: 'only-app-module-imports-modules',
      severity: 'error',
      from: { path: '^backend/src/(main|create-app|process|cli)', pathNot: '^backend/src/cli/(admin|seed|openapi)' },
      to: { path: '^backend/src/modules/' },
    },
    {
      name: 'features-import-no-features',
      comment: 'A frontend feature imports shared/ and app/, never another feature.',
      severity: 'error',
      from: { path: '^frontend/src/features/([^/]+)/' },
      to: { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    },
    {
      name: 'shared-imports-no-features',
      severity: 'error',
      from: { path: '^frontend/src/shared/' },
      to: { path: '^frontend/src/(features|admin|app)/' },
    },
    {
      name: 'frontend-imports-no-backend',
      comment: 'Only the checks of passwords and of reserved usernames are shared, and they import nothing.',
      severity: 'error',
      from: { path: '^frontend/' },
      to: {
        path: '^backend/',
        pathNot: sharedChecks,
      },
    },
    {
      name: 'shared-checks-import-nothing',
      severity: 'error',
      from: { path: sharedChecks },
      to: { path: '.' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
