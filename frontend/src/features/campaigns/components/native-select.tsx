import Box from '@mui/material/Box';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** `option` elements. */
  children: ReactNode;
}

/** Labelled native select, which phones display in their own way. */
export function NativeSelect({ label, value, onChange, children }: Props) {
  const id = useId();
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {label}
      </Typography>
      <Select native fullWidth value={value} onChange={(event) => onChange(event.target.value)} inputProps={{ id }}>
        {children}
      </Select>
    </Box>
  );
}
