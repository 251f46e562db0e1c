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

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing reaches is dead.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.spec\\.tsx?$', '\\.d\\.ts$', '^backend/src/(main|cli/[^/]+)\\.ts$'] },
      to: {},
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^backend/src/platform/' },
      to: { path: '^backend/src/(modules|app\\.module|process|cli)' },
    },
    ...onlyEarlierModules,
    {
      name: 'modules-show-only-their-surface',
      comment:
        'Another module may import modules, services, entities, guards, decorators, events, ports, jobs, errors, policies and DTOs.',
      severity: 'error',
      from: { path: '^backend/src/modules/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^backend/src/modules/',
        pathNot: [
          '^backend/src/modules/$1/',
          '\\.(module|service|entity|guard|decorator|events|port|jobs|errors|dto|policy)\\.ts$',
        ],
      },
    },
    {
      name: 'rooms-are-entered-by-their-service',
      comment: 'What rooms of a module share stands in shared/; of another room only services and vocabulary are used.',
      severity: 'error',
      from: { path: '^backend/src/modules/([^/]+)/([^/]+)/', pathNot: '\\.(spec|providers)\\.ts$' },
      to: {
        path: '^backend/src/modules/$1/[^/]+/',
        pathNot: [
          '^backend/src/modules/$1/($2|dto|entities|emails|shared)/',
          '\\.(service|entity|guard|decorator|events|port|jobs|errors|dto|policy|email)\\.ts$',
          // What judges a password runs in the page too, and knows nothing else; a form is read before its controller.
          '^backend/src/modules/(auth/passwords/password-strength|files/upload/upload-form)\\.ts$',
        ],
      },
    },
    {
      name: 'app-module-alone-names-modules',
      severity: 'error',
      from: { path: '^backend/src/(main|create-app|process|cli)', pathNot: '^backend/src/cli/(admin|seed|openapi)' },
      to: { path: '^backend/src/modules/' },
    },
    {
      name: 'features-do-not-cross',
      comment: 'A feature of the page uses shared/ and app/, not another feature.',
      severity: 'error',
      from: { path: '^frontend/src/features/([^/]+)/' },
      to: { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    },
    {
      name: 'shared-knows-no-feature',
      severity: 'error',
      from: { path: '^frontend/src/shared/' },
      to: { path: '^frontend/src/(features|admin|app)/' },
    },
    {
      name: 'halves-do-not-mix',
      comment: 'Only what judges a password is one text for both halves, and it knows nothing else.',
      severity: 'error',
      from: { path: '^frontend/' },
      to: {
        path: '^backend/',
        pathNot: '^backend/src/modules/auth/passwords/(password-strength|common-passwords|turkish-words)\\.ts$',
      },
    },
    {
      name: 'what-both-halves-run-imports-nothing',
      severity: 'error',
      from: { path: '^backend/src/modules/auth/passwords/(password-strength|common-passwords|turkish-words)\\.ts$' },
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
