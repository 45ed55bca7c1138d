/** The first page a person sees. */
import { createFileRoute } from '@tanstack/react-router';
import { FloorPage } from '../../pages/floor/FloorPage';

export const Route = createFileRoute('/')({ component: FloorPage });
