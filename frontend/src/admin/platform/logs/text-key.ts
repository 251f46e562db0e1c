type ReplaceAll<Text extends string, Separator extends string> = Text extends `${infer Head}${Separator}${infer Tail}`
  ? `${Head}_${ReplaceAll<Tail, Separator>}`
  : Text;

/** A code such as `zone.people-invited` as the key of a text, in which neither dots nor dashes stand. */
export type TextKey<Code extends string> = ReplaceAll<ReplaceAll<Code, '.'>, '-'>;

export const toTextKey = (code: string): string => code.replace(/[.-]/g, '_');
