import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLazyPages, parseTranslationModules } from '../../vite/lazy-pages';
import { ModuleGraph } from '../../vite/module-graph';
import { parsePageRoutes } from '../../vite/page-routes';
import { namespaces } from './i18n/namespaces';
import * as pages from './pages';

const readSource = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

describe('Build information extracted from the sources', () => {
  const declaredPages = parseLazyPages(readSource('pages.ts'));
  const routes = parsePageRoutes(readSource('router.tsx'));

  it('contains each lazy page with its imports and namespaces', () => {
    expect([...declaredPages.keys()].sort()).toEqual(Object.keys(pages).sort());
    expect(declaredPages.get('AuthPage')).toEqual({
      imports: ['../features/auth/auth.page'],
      namespaces: ['auth', 'account', 'verification'],
    });
    for (const { imports, namespaces: used } of declaredPages.values())
      expect([imports.length > 0, used.length > 0]).toEqual([true, true]);
  });

  it('contains the translation modules of each namespace in both languages', () => {
    const modules = parseTranslationModules(readSource('i18n/namespaces.ts'));
    expect([...modules.keys()].sort()).toEqual(Object.keys(namespaces).sort());
    expect(Object.fromEntries(modules.get('zones')!)).toEqual({ en: './bundles/en', tr: './bundles/tr' });
    expect(Object.fromEntries(modules.get('join')!)).toEqual({
      en: '../../features/join/locales/en',
      tr: '../../features/join/locales/tr',
    });
  });

  it('contains the pages and first requests of each route, and whether it requires sign-in', () => {
    const findRoute = (path: string) => routes.find((route) => route.path === path);
    expect(findRoute('/')).toEqual({
      path: '/',
      signedIn: true,
      pages: ['StartPage'],
      requests: ['/api/zones', '/api/dashboard/start', '/api/dashboard/attention'],
      memberHomeRequests: ['/api/home'],
    });
    expect(findRoute('/zones/:zoneId')).toMatchObject({ signedIn: true, pages: ['ZonePage', 'FilesPage'] });
    expect(findRoute('/zones/:zoneId/share')).toMatchObject({
      pages: ['ZonePage', 'ZoneSharePage'],
      requests: ['/api/zones/:zoneId', '/api/zones'],
    });
    expect(findRoute('/pricing')).toMatchObject({ signedIn: false, pages: ['PricingPage'], requests: ['/api/plans'] });
  });

  it('doesn’t list the code of the administration, which only administrators load', () => {
    const adminRoute = routes.find(({ path }) => path.startsWith('/admin'));
    expect(adminRoute).toMatchObject({ signedIn: true, pages: [], requests: [] });
  });

  it('takes the parameters of requests from the path of their route', () => {
    for (const { path, requests } of routes) {
      for (const name of requests.join(' ').match(/:\w+/g) ?? []) expect(path.split('/')).toContain(name);
    }
  });
});

describe('Module graph', () => {
  const imports: Record<string, string[]> = {
    main: ['shared'],
    shared: [],
    page: ['shared', 'component'],
    other: ['component'],
    component: ['mui'],
  };
  const getModuleInfo = (id: string) => ({
    importedIds: imports[id] ?? [],
    importers: Object.keys(imports).filter((moduleId) => imports[moduleId]!.includes(id)),
    dynamicImporters: id === 'page' || id === 'other' ? ['main'] : [],
  });
  const graph = ModuleGraph.of({ getModuleInfo }, 'main');

  it('separates modules needed by every page from those of some pages', () => {
    expect(graph.isInitial('shared')).toBe(true);
    expect(graph.isInitial('component')).toBe(false);
    expect([...graph.listPagesUsing('component')].sort()).toEqual(['other', 'page']);
    expect(graph.listPagesUsing('page')).toEqual(['page']);
    expect(graph.pageImports('page', /^mui$/)).toBe(true);
    expect(graph.pageImports('main', /^mui$/)).toBe(false);
  });
});
