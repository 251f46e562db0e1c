/** What the bundler tells of a module. */
export interface Modules {
  getModuleInfo: (id: string) => {
    importers: readonly string[];
    dynamicImporters: readonly string[];
    importedIds: readonly string[];
  } | null;
}

const programs = new WeakMap<Modules['getModuleInfo'] & object, Program>();

/** The modules of the page and who needs whom; `import()` begins a page of its own. */
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

  /** The same for as long as the bundler answers with the same. */
  static of(modules: Modules, main: string): Program {
    const known = programs.get(modules.getModuleInfo);
    if (known) return known;
    const made = new Program(modules, main);
    programs.set(modules.getModuleInfo, made);
    return made;
  }

  /** Whether every page needs it: it is reached from the entry without any `import()`. */
  isOfStart(id: string): boolean {
    return this.start.has(id);
  }

  /** The modules behind an `import()` that cannot do without this one; itself, if it is one. */
  pagesWith(id: string): readonly string[] {
    let found = this.pages.get(id);
    if (!found) this.pages.set(id, (found = this.findPages(id)));
    return found;
  }

  /** Whether a page needs, without any further `import()`, a module of this kind. */
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
