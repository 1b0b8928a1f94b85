import fc from 'fast-check';
import { SEED } from './seed.js';

// What is drawn at random follows the run's seed, also where a property names none itself.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
