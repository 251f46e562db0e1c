import { SelectField, type SelectFieldProps } from './select-field';

interface Props extends Omit<SelectFieldProps, 'children'> {
  /** Label of the empty option. */
  emptyLabel: string;
  zones: readonly { id: number; name: string }[];
}

/** Selects one of the user's zones by id, or none. */
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
