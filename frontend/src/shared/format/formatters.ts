/** What makes formatters: `Intl.DateTimeFormat`, for one. */
type Maker<Options, Formatter> = new (locale: string, options: Options) => Formatter;

/** Formatters that were made once: making one takes as long as using it a hundred times, and a list has thousands of cells. */
export function madeOnce<Options, Formatter>(Maker: Maker<Options, Formatter>) {
  const made = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let formatter = made.get(key);
    if (!formatter) made.set(key, (formatter = new Maker(locale, options)));
    return formatter;
  };
}
