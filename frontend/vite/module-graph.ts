/** The bundler's module information. */
export interface BundlerModules {
  getModuleInfo: (id: string) => {
    importers: readonly string[];
    dynamicImporters: readonly string[];
    importedIds: readonly string[];
  } | null;
}

const graphs = new WeakMap<BundlerModules['getModuleInfo'] & object, ModuleGraph>();

/** The module graph of the page; each `import()` starts a separate page. */
export class ModuleGraph {
  private readonly initialModules: ReadonlySet<string>;
  private readonly pages = new Map<string, readonly string[]>();
  private readonly reachable = new Map<string, ReadonlySet<string>>();

  private constructor(
    private readonly modules: BundlerModules,
    private readonly main: string,
  ) {
    this.initialModules = this.findReachable(main);
  }

  /** Returns the graph of these modules, cached by the bundler's `getModuleInfo`. */
  static of(modules: BundlerModules, main: string): ModuleGraph {
    const cached = graphs.get(modules.getModuleInfo);
    if (cached) return cached;
    const graph = new ModuleGraph(modules, main);
    graphs.set(modules.getModuleInfo, graph);
    return graph;
  }

  /** Whether every page needs the module: it is reachable from the entry without `import()`. */
  isInitial(id: string): boolean {
    return this.initialModules.has(id);
  }

  /** Lists the `import()` targets that statically depend on the module; includes the module itself if it is one. */
  listPagesUsing(id: string): readonly string[] {
    let found = this.pages.get(id);
    if (!found) this.pages.set(id, (found = this.findPages(id)));
    return found;
  }

  /** Whether a page statically imports a module whose id matches, directly or indirectly. */
  pageImports(page: string, pattern: RegExp): boolean {
    let reachable = this.reachable.get(page);
    if (!reachable) this.reachable.set(page, (reachable = this.findReachable(page)));
    return [...reachable].some((id) => pattern.test(id));
  }

  private findReachable(from: string): Set<string> {
    const seen = new Set<string>();
    const queue = [from];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(...(this.modules.getModuleInfo(id)?.importedIds ?? []));
    }
    return seen;
  }

  private findPages(target: string): string[] {
    const seen = new Set<string>();
    const queue = [target];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(...(this.modules.getModuleInfo(id)?.importers ?? []));
    }
    return [...seen].filter(
      (id) => id === this.main || (this.modules.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0,
    );
  }
}
