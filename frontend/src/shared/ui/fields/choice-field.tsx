import { SelectField, type SelectFieldProps } from './select-field';

interface Props<V extends string> extends Omit<SelectFieldProps, 'children' | 'onChange'> {
  /** `lang` is set if a label isn't in the page's language. */
  options: readonly { value: V; label: string; lang?: string }[];
  onChange: (value: V) => void;
}

/** Radio buttons. */
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
