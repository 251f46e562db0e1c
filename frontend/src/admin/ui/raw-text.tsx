import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

/** Machine-written text below a title. */
export function RawText({ title, children }: { title: string; children: string }) {
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ minWidth: 0 }}>
      <Typography id={titleId} variant="h3" sx={{ mb: 2 }}>
        {title}
      </Typography>
      <Box
        component="pre"
        tabIndex={0}
        aria-labelledby={titleId}
        role="group"
        sx={{
          m: 0,
          p: 3,
          maxHeight: 320,
          overflow: 'auto',
          borderRadius: 1,
          bgcolor: 'tint.neutral',
          fontSize: 'caption.fontSize',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
