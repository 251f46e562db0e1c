import Box from '@mui/material/Box';

/** A text of one line that is cut where its column ends; it is whole in the tip. */
export function Cut({ children, chars = 32 }: { children: string; chars?: number }) {
  return (
    <Box
      component="span"
      title={children}
      sx={{
        display: 'block',
        maxWidth: `${chars}ch`,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  );
}
