/** Opening the command palette from anywhere. */
import { spotlight } from '@mantine/spotlight';

export const openPalette = (): void => spotlight.open();
