import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';

interface Props<V extends string> {
  id: string;
  name: string;
  label: string;
  help?: string;
  error?: string;
  options: readonly { value: V; label: string }[];
  value: string;
  disabled?: boolean;
  onChange: (value: V) => void;
}

/** One of a few values, with its label above; the browser's own list, which phones show in their own way. */
export function ChoiceField<V extends string>(props: Props<V>) {
  const { id, name, label, help, error, options, value, disabled, onChange } = props;
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
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as V)}
        inputProps={{ id, name, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': Boolean(error) }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
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
