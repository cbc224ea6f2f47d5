// Left out of the program: the page of the documentation loads swagger-ui-bundle.js.
