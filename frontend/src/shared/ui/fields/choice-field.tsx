import { SelectField, type SelectFieldProps } from './select-field';

interface Props<V extends string> extends Omit<SelectFieldProps, 'children' | 'onChange'> {
  /** `lang` where a label is not in the language of the page. */
  options: readonly { value: V; label: string; lang?: string }[];
  onChange: (value: V) => void;
}

/** One of a few values. */
export function ChoiceField<V extends string>({ options, onChange, ...field }: Props<V>) {
  return (
    <SelectField {...field} onChange={(value) => onChange(value as V)}>
      {options.map(({ value, label, lang }) => (
        <option key={value} value={value} lang={lang}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
