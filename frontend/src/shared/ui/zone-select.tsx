import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';

interface Props {
  id: string;
  name: string;
  label: string;
  help?: string;
  error?: string;
  /** What stands there while none is chosen. */
  none: string;
  zones: readonly { id: number; name: string }[];
  /** Id of the chosen zone, or nothing. */
  value: string;
  onChange: (zoneId: string) => void;
}

/** One of a person's zones, with its label above; the browser's own list, which phones show in their own way. */
export function ZoneSelect({ id, name, label, help, error, none, zones, value, onChange }: Props) {
  const note = error ?? help;
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {label}
      </Typography>
      <Select
        native
        fullWidth
        value={value}
        error={Boolean(error)}
        onChange={(event) => onChange(event.target.value)}
        inputProps={{ id, name, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': Boolean(error) }}
      >
        <option value="">{none}</option>
        {zones.map((zone) => (
          <option key={zone.id} value={String(zone.id)}>
            {zone.name}
          </option>
        ))}
      </Select>
      {note && (
        <FormHelperText id={`${id}-note`} error={Boolean(error)} sx={{ mx: 0 }}>
          {note}
        </FormHelperText>
      )}
    </Box>
  );
}
