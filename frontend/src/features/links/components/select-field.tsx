import Box from '@mui/material/Box';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { FieldProps } from '../../../shared/hooks/use-form';

interface Props extends FieldProps {
  label: string;
  /** `option` elements. */
  children: ReactNode;
}

/** A choice with its label above; the browser's own list, which phones show in their own way. */
export function SelectField({ id, name, value, label, children, onChange }: Props) {
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {label}
      </Typography>
      <Select
        native
        fullWidth
        value={value}
        onChange={(event) => onChange(event as Parameters<FieldProps['onChange']>[0])}
        inputProps={{ id, name }}
      >
        {children}
      </Select>
    </Box>
  );
}
