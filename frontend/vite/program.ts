/** The bundler's module information. */
export interface Modules {
  getModuleInfo: (id: string) => {
    importers: readonly string[];
    dynamicImporters: readonly string[];
    importedIds: readonly string[];
  } | null;
}

const programs = new WeakMap<Modules['getModuleInfo'] & object, Program>();

/** The module graph of the page; each `import()` starts a separate page. */
export class Program {
  private readonly start: ReadonlySet<string>;
  private readonly pages = new Map<string, readonly string[]>();
  private readonly reached = new Map<string, ReadonlySet<string>>();

  private constructor(
    private readonly modules: Modules,
    private readonly main: string,
  ) {
    this.start = this.reach(main);
  }

  /** Cached by the bundler's `getModuleInfo`. */
  static of(modules: Modules, main: string): Program {
    const known = programs.get(modules.getModuleInfo);
    if (known) return known;
    const made = new Program(modules, main);
    programs.set(modules.getModuleInfo, made);
    return made;
  }

  /** Whether every page needs it: it is reachable from the entry without `import()`. */
  isOfStart(id: string): boolean {
    return this.start.has(id);
  }

  /** The `import()` targets that statically depend on this module; itself, if it is one. */
  pagesWith(id: string): readonly string[] {
    let found = this.pages.get(id);
    if (!found) this.pages.set(id, (found = this.findPages(id)));
    return found;
  }

  /** Whether a page statically imports a module that matches. */
  needs(page: string, kind: RegExp): boolean {
    let reached = this.reached.get(page);
    if (!reached) this.reached.set(page, (reached = this.reach(page)));
    return [...reached].some((id) => kind.test(id));
  }

  private reach(from: string): Set<string> {
    const seen = new Set<string>();
    const open = [from];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(this.modules.getModuleInfo(id)?.importedIds ?? []));
    }
    return seen;
  }

  private findPages(of: string): string[] {
    const seen = new Set<string>();
    const open = [of];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(this.modules.getModuleInfo(id)?.importers ?? []));
    }
    return [...seen].filter(
      (id) => id === this.main || (this.modules.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0,
    );
  }
}
