type ReplaceAll<Text extends string, Separator extends string> = Text extends `${infer Head}${Separator}${infer Tail}`
  ? `${Head}_${ReplaceAll<Tail, Separator>}`
  : Text;

/** Converts a code such as `zone.people-invited` to a translation key, which has neither dots nor dashes. */
export type TextKey<Code extends string> = ReplaceAll<ReplaceAll<Code, '.'>, '-'>;

export const toTextKey = (code: string): string => code.replace(/[.-]/g, '_');
