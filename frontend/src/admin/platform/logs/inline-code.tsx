import Box from '@mui/material/Box';

/** A stable code, as used in the API and filters. */
export function InlineCode({ children }: { children: string }) {
  return (
    <Box component="code" sx={{ fontSize: 'caption.fontSize', color: 'text.secondary', whiteSpace: 'nowrap' }}>
      {children}
    </Box>
  );
}
