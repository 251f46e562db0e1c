/** Constructor of a formatter, such as `Intl.DateTimeFormat`. */
type FormatterConstructor<Options, Formatter> = new (locale: string, options: Options) => Formatter;

/** Caches formatters: creating one takes as long as using it a hundred times, and lists have thousands of cells. */
export function createFormatterCache<Options, Formatter>(FormatterClass: FormatterConstructor<Options, Formatter>) {
  const cache = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let formatter = cache.get(key);
    if (!formatter) cache.set(key, (formatter = new FormatterClass(locale, options)));
    return formatter;
  };
}
