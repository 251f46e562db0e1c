import { SelectField, type SelectFieldProps } from './select-field';

interface Props extends Omit<SelectFieldProps, 'children'> {
  /** What stands there while none is chosen. */
  emptyLabel: string;
  zones: readonly { id: number; name: string }[];
}

/** One of a person's zones: its id, or nothing. */
export function ZoneSelect({ emptyLabel, zones, ...field }: Props) {
  return (
    <SelectField {...field}>
      <option value="">{emptyLabel}</option>
      {zones.map((zone) => (
        <option key={zone.id} value={String(zone.id)}>
          {zone.name}
        </option>
      ))}
    </SelectField>
  );
}
