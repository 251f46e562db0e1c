/** What makes formatters: `Intl.DateTimeFormat`, for one. */
type FormatterConstructor<Options, Formatter> = new (locale: string, options: Options) => Formatter;

/** Formatters that were made once: making one takes as long as using it a hundred times, and a list has thousands of cells. */
export function createFormatterCache<Options, Formatter>(FormatterClass: FormatterConstructor<Options, Formatter>) {
  const cache = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let formatter = cache.get(key);
    if (!formatter) cache.set(key, (formatter = new FormatterClass(locale, options)));
    return formatter;
  };
}
