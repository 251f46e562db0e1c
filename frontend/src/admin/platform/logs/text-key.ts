type Replaced<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${infer Tail}`
  ? `${Head}_${Replaced<Tail, Mark>}`
  : Text;

/** A code such as `zone.people-invited` as the key of a text, in which neither dots nor dashes stand. */
export type TextKey<Code extends string> = Replaced<Replaced<Code, '.'>, '-'>;

export const textKey = (code: string): string => code.replace(/[.-]/g, '_');
