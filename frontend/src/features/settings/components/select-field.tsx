import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

export interface Choice {
  value: string;
  name: string;
  lang?: string;
}

interface Props {
  label: string;
  value: string;
  choices: readonly Choice[];
  help?: string;
  onChange: (value: string) => void;
}

/** One of a few choices, with its label above; the browser's own list, which phones show in their own way. */
export function SelectField({ label, value, choices, help, onChange }: Props) {
  const id = useId();
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {label}
      </Typography>
      <Select
        native
        fullWidth
        value={value}
        onChange={(event) => onChange(event.target.value)}
        inputProps={{ id, 'aria-describedby': help ? `${id}-note` : undefined }}
      >
        {choices.map(({ value: choice, name, lang }) => (
          <option key={choice} value={choice} lang={lang}>
            {name}
          </option>
        ))}
      </Select>
      {help && (
        <FormHelperText id={`${id}-note`} sx={{ mx: 0 }}>
          {help}
        </FormHelperText>
      )}
    </Box>
  );
}
