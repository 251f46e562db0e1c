import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

export interface SelectFieldProps {
  id?: string;
  name?: string;
  label: string;
  help?: string;
  error?: string;
  value: string;
  disabled?: boolean;
  /** `option` elements. */
  children: ReactNode;
  onChange: (value: string) => void;
}

/** A native select with its label above; phones show their own picker. */
export function SelectField({ id: providedId, label, help, error, children, onChange, ...rest }: SelectFieldProps) {
  const generatedId = useId();
  const id = providedId ?? generatedId;
  const { name, value, disabled } = rest;
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
        onChange={(event) => onChange(event.target.value)}
        inputProps={{ id, name, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': Boolean(error) }}
      >
        {children}
      </Select>
      {note && (
        <FormHelperText id={`${id}-note`} error={Boolean(error)} sx={{ mx: 0 }}>
          {note}
        </FormHelperText>
      )}
    </Box>
  );
}
